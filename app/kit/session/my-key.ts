/** Prefix of query keys whose answers belong to one person. Login and logout drop them. */
export const MY_KEY = 'me'
