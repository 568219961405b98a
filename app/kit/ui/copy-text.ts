import { toast } from './toast.ts'

/** Copies a text. @param title the toast's */
export async function copyText(text: string, title: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ id: 'copied', title })
  } catch {
    // Without https there's no clipboard, but people can copy by hand.
    toast({ id: 'copied', title: 'Select the text to copy it' })
  }
}
