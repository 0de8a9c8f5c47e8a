/** Reads the files that a person attaches: text as it is, anything else as a `data:` URL. */
export type Attached = { name: string; mimetype: string; content: string };

/** More would only slow the playground down; a real Slack takes far more. */
const MOST_BYTES = 2_000_000;

export async function readAttached(files: File[]): Promise<Attached[]> {
  return Promise.all(
    files.map(async (file) => {
      if (file.size > MOST_BYTES)
        throw new Error(`${file.name} is larger than 2 MB, the most that this playground takes.`);
      const mimetype = file.type || 'text/plain';
      const isText = /^text\/|json|xml|yaml|javascript/.test(mimetype);
      return { name: file.name, mimetype, content: isText ? await file.text() : await dataUrl(file) };
    }),
  );
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}
