/** Who is asking. Everybody is a visitor until sign-in arrives. */
export interface Actor {
  role: 'visitor'
}

export const visitor: Actor = { role: 'visitor' }
