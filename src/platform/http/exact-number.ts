declare global {
  interface JSON {
    /** ECMAScript proposal 'JSON.parse source text access', in Node.js since 21. */
    rawJSON(text: string): object;
  }
}

/** A decimal text that becomes a JSON number digit by digit: `1250.00` and not `1250`, and never a rounded one. */
export function exactNumber(decimal: string): object {
  return JSON.rawJSON(decimal);
}
