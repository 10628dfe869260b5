"""Numbers, booleans and null as Java and fastjson2 write them."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext

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
    return java_scalar(value)


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


def java_double(value: float) -> str:
    """Java's ``Double.toString``, with the shortest digits that identify the number (JDK 19 and later).

    JDK 18 and earlier print a digit or two more for a few per cent of the doubles with 15 or
    more digits, and none for ordinary decimals.
    """
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = format(Decimal(repr(value)), "f")
        return text if "." in text else f"{text}.0"
    shortest = Decimal(repr(value)).normalize()
    if len(shortest.as_tuple().digits) == 1:  # Java takes the nearest of the decimals with two digits
        shortest = Decimal(f"{value:.1e}").normalize()
    sign, digits, exponent = shortest.as_tuple()
    assert isinstance(exponent, int)  # finite
    head, tail = str(digits[0]), "".join(map(str, digits[1:])) or "0"
    return f"{'-' if sign else ''}{head}.{tail}E{exponent + len(digits) - 1}"
