/** Hands a text to the clipboard. */
import { toast } from './toast.ts'

/** @param title what is said when it is there */
export async function copyText(text: string, title: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ id: 'copied', title })
  } catch {
    // Without https there is no clipboard; the text can still be taken by hand.
    toast({ id: 'copied', title: 'Please select it and copy it by hand' })
  }
}
