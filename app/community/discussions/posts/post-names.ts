/** What buttons call each post, for those who hear one alone: "comment by Vera", and her next one "comment 2 by Vera". */
export function postNames(what: string, posts: { id: string; name: string | undefined }[]) {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  for (const { id, name = 'someone' } of posts) {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    names.set(id, count === 1 ? `${what} by ${name}` : `${what} ${count} by ${name}`)
  }
  return names
}
