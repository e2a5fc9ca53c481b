/**
 * The codes that `errors` has for single fields, each with what it means. What to do about it is in `detail`, with the
 * limits of the field.
 */
export const FIELD_PROBLEMS = {
  required: 'The field is required, and it is missing or null.',
  unknown_field: 'The object has an unknown field.',
  wrong_type: 'The value has the wrong type, or is not one of the allowed values.',
  unknown_parameter: 'The query has an unknown parameter.',
  repeated: 'The parameter may be given only once.',
  text: 'The text is too short, too long, or has characters that cannot be printed.',
  format: 'The text does not have the required format.',
  range: 'The number or date is too small or too large.',
  size: 'The list has too few or too many elements.',
  distinct: 'The list contains an element twice.',
  together: 'Two fields must be given together, and one of them is missing.',
  past_date: 'The date must be in the past.',
  not_future: 'The date must not be in the future.',
  expired: 'The card has expired.',
  card_number: 'The card number has the wrong length or the wrong check digit.',
  last4: 'The digits are not the last four digits of the card number.',
  masked: 'The tax id is masked and differs from the masked tax id on record.',
  other_beneficiary: 'The beneficiary id in the body differs from the one in the path.',
  time_zone: 'The text is not the name of an IANA time zone.',
  currency_digits: 'The amount has more decimal digits than its currency.',
  taken: 'The id belongs to a record of another program.',
  fixed: 'The value differs from the one on record and cannot change.',
  balance_contradiction: 'The balance differs from the one that the ledger gives.',
  balance_range: 'The balance of the account would have more than 18 digits.',
  unknown_account: 'The program has no such account.',
  unknown_customer: 'The program has no such customer.',
  different_transaction: 'A transaction with this id exists and has different content.',

  // Of PDF documents; where several hold, the first of these is answered.
  empty: 'The file is empty.',
  too_large: 'The file is too large.',
  not_pdf: 'The file is not a PDF.',
  encrypted: 'The PDF is encrypted.',
  damaged: 'The PDF is damaged or incomplete.',
  uncheckable: 'The PDF is built in a way that cannot be checked.',
  looping_pages: 'The page tree of the PDF contains a page twice, or a loop.',
  expanding: 'The PDF expands to more bytes than are accepted.',
  javascript: 'The PDF contains JavaScript.',
  launch: 'The PDF starts a program or opens another file.',
  embedded_files: 'The PDF contains embedded files.',
  xfa: 'The PDF contains an XFA form.',
  rich_media: 'The PDF contains sound, video, 3D or other rich media.',
  form_submission: 'The PDF has a form that sends or fetches data.',
  external_content: 'The PDF takes a part of its content from another file.',
  unsafe_link: 'The PDF has a link that is not to a web page, a mail address or a telephone number.',
  automatic_action: 'The PDF starts an action when it is opened or read.',
} as const;

export type FieldCode = keyof typeof FIELD_PROBLEMS;
