/** Shares an address with the phone's share sheet or the clipboard. */
import { toast } from './toast.ts'

export async function share(title: string, path: string) {
  const url = new URL(path, window.location.origin).href
  // On computers, a copied link is more useful than the share sheet.
  if ('share' in navigator && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ title, url })
      return
    } catch (error) {
      if ((error as Error).name === 'AbortError') return
    }
  }
  try {
    await navigator.clipboard.writeText(url)
    toast({ title: 'Link copied' })
  } catch {
    // Without https there's no clipboard, but people can copy by hand.
    toast({ title: 'Copy this link', description: url, duration: 0 })
  }
}

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
