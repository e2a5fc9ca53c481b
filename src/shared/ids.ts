/**
 * An id as the bank's systems give them, to programs, accounts, cards and transactions. Any other text names nothing
 * there is.
 */
export const BANK_ID = /^[\x21-\x7e]{1,64}$/;
/** What `BANK_ID` asks for, to a person. */
export const BANK_ID_FORM = '1 to 64 visible ASCII characters';

/**
 * What the gateway makes of the id of a caller has this character, such as the capture `order-7~1`, and new ids of
 * callers do not, so the two never meet. Ids of callers that are on record with it stay, and are read as before.
 */
export const OWN_ID_MARK = '~';
/** What is wrong with a new id of a caller that has the mark. */
export const OWN_ID_DETAIL = `Must not contain ${OWN_ID_MARK}: ids with it are made by the gateway. Use another id.`;

/** A UUID in lower case, as we write them (RFC 9562). */
export const UUID_TEXT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
