/** What the proof of a post's badge is bound to. Browser and server must make the same bytes. No I/O here. */

export interface BadgedPost {
  /** The form's idempotency key: each proof is valid for one post. */
  sending: string
  /** Empty for a comment. */
  title: string
  body: string
}

/** Covers the text: a changed letter needs another proof. */
export const postMessageOf = (companyId: string, { title, body }: BadgedPost) =>
  new TextEncoder().encode(JSON.stringify([companyId, title, body]))
