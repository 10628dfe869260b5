"""Numbers, booleans and null as Java and fastjson2 write them."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext

from ctxviz.projection.java_double import java_double, shortest

_BITS_AT_ONCE = 20_000


def java_scalar(value: int | float | bool | None) -> str:
    """Java's ``String.valueOf`` of what is neither text nor a container."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, float):
        return java_double(value)
    return int_text(value)


def stored_scalar(value: int | float | bool | None) -> str:
    """The same as fastjson2 writes it: JSON has no NaN and no infinity."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "null"
    return shortest(value) if isinstance(value, float) else java_scalar(value)


def int_text(value: int) -> str:
    """The decimal digits, also beyond the 4,300 that Python prints by itself."""
    try:
        return str(value)
    except ValueError:
        with localcontext(Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            return f"{_decimal(value, value.bit_length()):f}"


def _decimal(value: int, bits: int) -> Decimal:
    """An integer of `bits` bits, put together from halves: `Decimal` itself takes quadratic time for one."""
    if bits <= _BITS_AT_ONCE:
        return Decimal(value)
    half = bits // 2
    return _decimal(value >> half, bits - half) * Decimal(2) ** half + _decimal(value & ((1 << half) - 1), half)
