/**
 * An id as the bank's systems give them, to programs, accounts, cards and transactions. Any other text names nothing
 * there is.
 */
export const BANK_ID = /^[\x21-\x7e]{1,64}$/;
/** What `BANK_ID` asks for, to a person. */
export const BANK_ID_FORM = '1 to 64 visible ASCII characters';

/** A UUID in lower case, as we write them (RFC 9562). */
export const UUID_TEXT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
