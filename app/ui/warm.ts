/** Code that comes once, and is here before the press that needs it. */

/** Fetches it at the first call; after a failure anew at the next one. */
export function loadedOnce<Code>(load: () => Promise<Code>): () => Promise<Code> {
  let loading: Promise<Code> | undefined
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** Fetches it ahead of time; the failure that counts is the one at the press. */
export function warmUp(load: () => Promise<unknown>) {
  load().catch(() => {})
}

/** Spread on a button, or on what stands around it: fetches the code on hover, focus or touch. */
export function warmOn(load: () => Promise<unknown>): WarmProps {
  const warm = () => warmUp(load)
  return { onPointerEnter: warm, onFocus: warm, onTouchStart: warm }
}

export interface WarmProps {
  onPointerEnter: () => void
  onFocus: () => void
  onTouchStart: () => void
}
