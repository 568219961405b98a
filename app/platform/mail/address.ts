/** One email address. Nothing that a mail's header or a list of addresses could take for more. */
export const isOneAddress = (text: string) =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)
