/** Prefix of query keys whose answers belong to one person. Login and logout drop them. */
export const MY_KEY = 'me'

/**
 * What's waiting for administrators. Starts like `ADMINISTRATION`, so any action on the panel refetches it, as rulings
 * do.
 */
export const WAITING_KEY = [MY_KEY, 'administration', 'waiting'] as const
