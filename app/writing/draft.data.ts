/** What was written and not yet sent. It stays in this browser: no server hears of it. */
import { useEffect, useRef, useState } from 'react'

const PREFIX = 'kettle-draft:'
/** A pause in writing this long is enough to save. */
const SAVE_MS = 400

/** Where a draft was begun, and so where it is opened again. */
export interface DraftKey {
  kind: 'thread' | 'comment' | 'rating' | 'company-reply' | 'job' | 'room'
  /** Within its kind: the company of a thread or rating, the thread and parent of a comment, what a
   * company replies to. */
  key: string
  path: string
}

export interface StoredDraft<Content = unknown> extends DraftKey {
  content: Content
  savedAt: number
}

const keyOf = ({ kind, key }: DraftKey) => `${PREFIX}${kind}:${key}`

export function readDraft<Content>(place: DraftKey): StoredDraft<Content> | undefined {
  return parsed<Content>(() => localStorage.getItem(keyOf(place)))
}

/** False where the browser keeps nothing, or has no room. */
export function saveDraft(place: DraftKey, content: unknown, now = Date.now()): boolean {
  try {
    const draft: StoredDraft = { ...place, content, savedAt: now }
    localStorage.setItem(keyOf(place), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function clearDraft(place: DraftKey) {
  try {
    localStorage.removeItem(keyOf(place))
  } catch {
    // It was not kept either.
  }
}

/** All drafts of this browser, the last one first. */
export function listDrafts(): StoredDraft[] {
  const drafts: StoredDraft[] = []
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i)
      if (!key?.startsWith(PREFIX)) continue
      const draft = parsed(() => localStorage.getItem(key))
      if (draft) drafts.push(draft)
    }
  } catch {
    // A browser that keeps nothing has none.
  }
  return drafts.sort((one, other) => other.savedAt - one.savedAt)
}

/** Undefined for what an older version or another hand has left there. */
function parsed<Content>(read: () => string | null): StoredDraft<Content> | undefined {
  try {
    const draft = JSON.parse(read() ?? 'null')
    const isDraft =
      typeof draft?.content === 'object' && draft.content && String(draft.path).startsWith('/')
    return isDraft ? draft : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps `content` as it changes: after a pause, when the page goes away, and when it unmounts.
 * What was kept before is handed to `onRestore` once, after hydration.
 */
export function useDraft<Content>({ place, content, isBlank, onRestore }: DraftParts<Content>) {
  const [isRestored, setRestored] = useState(false)
  const id = keyOf(place)
  const text = JSON.stringify(content)
  /** What needs no saving: it is stored, or nobody would miss it. */
  const settled = useRef(text)
  const latest = useRef({ place, content, isBlank, text, onRestore })
  latest.current = { place, content, isBlank, text, onRestore }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place
  useEffect(() => {
    const found = readDraft<Content>(latest.current.place)
    if (!found) return
    settled.current = JSON.stringify(found.content)
    // If it goes away before the form shows what was found, that is not an emptied form.
    latest.current.text = settled.current
    latest.current.onRestore(found.content)
    setRestored(true)
  }, [id])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text begins a new pause
  useEffect(() => {
    const timer = setTimeout(save, SAVE_MS)
    return () => clearTimeout(timer)
  }, [text])

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the latest of everything
  useEffect(() => {
    const saveWhenHidden = () => document.visibilityState === 'hidden' && save()
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', saveWhenHidden)
    return () => {
      save()
      removeEventListener('pagehide', save)
      document.removeEventListener('visibilitychange', saveWhenHidden)
    }
  }, [id])

  function save() {
    const { place, content, isBlank, text } = latest.current
    if (text === settled.current) return
    settled.current = text
    if (isBlank) clearDraft(place)
    else saveDraft(place, content)
  }

  return {
    /** Until it is discarded or sent. */
    isRestored,
    /** Call it with what the form holds from now on: that is not kept until it changes. */
    clear: (next: Content) => {
      settled.current = JSON.stringify(next)
      latest.current.text = settled.current
      clearDraft(latest.current.place)
      setRestored(false)
    },
  }
}

interface DraftParts<Content> {
  place: DraftKey
  content: Content
  isBlank: boolean
  onRestore: (content: Content) => void
}
