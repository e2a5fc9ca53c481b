/**
 * An id as the bank's systems give them, to programs, accounts, cards and transactions. Any other text names nothing
 * there is. `.` and `..` are steps of a path (RFC 3986, section 5.2.4): clients and proxies take them out of a URL.
 */
export const BANK_ID = pathId(64);
/** The form of `BANK_ID`, for a person. */
export const BANK_ID_FORM = '1 to 64 visible ASCII characters, not . or .., which are steps of a path';

/** Without a look-ahead, which the regular expressions of some languages lack. */
export function pathId(max: number): RegExp {
  const [any, other] = [String.raw`[\x21-\x7e]`, String.raw`[\x21-\x2d\x2f-\x7e]`];
  return new RegExp(
    String.raw`^(${other}${any}{0,${max - 1}}|\.${other}${any}{0,${max - 2}}|\.\.${any}{1,${max - 2}})$`,
  );
}

/**
 * The character in what the gateway makes of the id of a caller, such as the capture `order-7~1`; new ids of callers do
 * not have it, so the two never meet.
 */
export const OWN_ID_MARK = '~';
/** The fault of a new id of a caller that has the mark of the gateway's own ids. */
export const OWN_ID_DETAIL = `Must not contain ${OWN_ID_MARK}: ids with it are made by the gateway. Use another id.`;

/** A UUID in lower case, as we write them (RFC 9562). */
export const UUID_TEXT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
