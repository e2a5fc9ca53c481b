const STRING_AND_COLON = /"(?:[^"\\]|\\.)*"\s*(:?)/g;

/**
 * Whether an object in a JSON text has a name twice. `JSON.parse` takes the last one and others the first (RFC 8259, section 4), so such
 * a token could say one thing to whoever issued it or looked at it before, and another thing here.
 */
export function repeatsName(json: string): boolean {
  let written = 0;
  for (const [, colon] of json.matchAll(STRING_AND_COLON)) if (colon) written += 1;
  let kept = -1; // The reviver is called for the whole as well, under the name of an object's member.
  JSON.parse(json, function (this: unknown, _name, value: unknown) {
    if (!Array.isArray(this)) kept += 1;
    return value;
  });
  return written !== kept;
}
