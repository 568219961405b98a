/** A guess at what a broken path was about: "/company/toyta-motor" → "toyta motor". */
export function wordsOfPath(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  return decoded(last)
    .replace(/[-_+.\s]+/g, ' ')
    .trim()
}

function decoded(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
