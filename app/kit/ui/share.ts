/** Hands an address on: by the phone's own sheet, or by the clipboard. */
import { toast } from './toast.ts'

export async function share(title: string, path: string) {
  const url = new URL(path, window.location.origin).href
  // A computer's sheet is rarely what one wants; a copied link is.
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
    // Without https there is no clipboard; the link itself can still be taken by hand.
    toast({ title: 'Copy this link', description: url, duration: 0 })
  }
}
