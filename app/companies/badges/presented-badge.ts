/** A badge beside a post: what its proof is bound to. Browser and server must make the same bytes. No I/O here. */

export interface BadgedPost {
  /** The uuid of its form: each proof is good for one post. */
  sending: string
  /** Empty for a comment. */
  title: string
  body: string
}

/** Whoever changed a letter of it on its way would need another proof. */
export const postMessageOf = (companyId: string, { title, body }: BadgedPost) =>
  new TextEncoder().encode(JSON.stringify([companyId, title, body]))
