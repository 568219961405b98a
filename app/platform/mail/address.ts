/** A single email address. An email header or a list of addresses can't take it for more than one. */
export const isOneAddress = (text: string) =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)
