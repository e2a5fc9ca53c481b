/** A file as the API takes it. */
export interface ReadFile {
  readonly base64: string;
  readonly name: string;
}

/** Reads a file: the Base64 behind the comma of a data URL. */
export function readBase64(file: File): Promise<ReadFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const [, base64 = ''] = typeof reader.result === 'string' ? reader.result.split(',') : [];
      resolve({ base64, name: file.name });
    });
    reader.addEventListener('error', () => reject(new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
}
