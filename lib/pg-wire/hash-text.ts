/**
 * PostgreSQL's `hashtext`: Bob Jenkins' lookup3 over the bytes of a text, as a signed number of 32 bits. It is what a
 * table is distributed by whose rows are placed by a text.
 */
export function hashText(text: string): number {
  const bytes = Buffer.from(text);
  const start = (0x9e3779b9 + bytes.length + 3_923_095) | 0;
  let [a, b, c] = [start, start, start];
  let at = 0;
  for (; bytes.length - at >= 12; at += 12) {
    a = (a + bytes.readInt32LE(at)) | 0;
    b = (b + bytes.readInt32LE(at + 4)) | 0;
    c = (c + bytes.readInt32LE(at + 8)) | 0;
    a = ((a - c) | 0) ^ turned(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ turned(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ turned(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ turned(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ turned(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ turned(b, 4);
    b = (b + a) | 0;
  }
  // The lowest byte of the third word is left out: it stands for the length.
  for (let place = 0; at + place < bytes.length; place += 1) {
    const byte = bytes[at + place] as number;
    if (place < 4) a = (a + (byte << (8 * place))) | 0;
    else if (place < 8) b = (b + (byte << (8 * (place - 4)))) | 0;
    else c = (c + (byte << (8 * (place - 7)))) | 0;
  }
  c = ((c ^ b) - turned(b, 14)) | 0;
  a = ((a ^ c) - turned(c, 11)) | 0;
  b = ((b ^ a) - turned(a, 25)) | 0;
  c = ((c ^ b) - turned(b, 16)) | 0;
  a = ((a ^ c) - turned(c, 4)) | 0;
  b = ((b ^ a) - turned(a, 14)) | 0;
  return ((c ^ b) - turned(b, 24)) | 0;
}

function turned(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
