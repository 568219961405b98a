/** Drafts of unsent text, which stay in this browser and never reach a server. */

import { useEffect, useRef, useState } from 'react'
import { newIdempotencyKey } from '../forms/idempotency-key.ts'
import { BUSY_BUTTON } from '../ui/button.tsx'

const PREFIX = 'kettle-draft:'
/** We save a draft after a pause this long. */
const SAVE_MS = 400

/** The page where a draft was started, which is where it opens again. */
export interface DraftKey {
  kind:
    | 'thread'
    | 'comment'
    | 'rating'
    | 'pay'
    | 'interview'
    | 'benefits'
    | 'company-reply'
    | 'job'
    | 'room'
  /**
   * What the draft is about, by kind: a thread's or rating's company, the same for pay, interviews and
   * benefits with their year if they're changed, a comment's thread and parent, what a company replies to.
   */
  key: string
  path: string
  /** Whether the draft changes something that's already posted. */
  isEdit?: boolean
  /** Whose draft it is, if it reveals who wrote a post. Others who use this browser don't see such a draft. */
  who?: string | undefined
}

export interface StoredDraft<Content = unknown> extends DraftKey {
  content: Content
  savedAt: number
}

const keyOf = ({ kind, key }: DraftKey) => `${PREFIX}${kind}:${key}`

export function readDraft<Content>(draftKey: DraftKey): StoredDraft<Content> | undefined {
  const draft = parsed<Content>(() => localStorage.getItem(keyOf(draftKey)))
  return draft && isFor(draft, draftKey.who) ? draft : undefined
}

const isFor = (draft: StoredDraft, who: string | undefined) =>
  draft.who === undefined || draft.who === who

/** False if the browser stores nothing, or has no room. */
export function saveDraft(draftKey: DraftKey, content: unknown, now = Date.now()): boolean {
  try {
    const draft: StoredDraft = { ...draftKey, content, savedAt: now }
    localStorage.setItem(keyOf(draftKey), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function clearDraft(draftKey: DraftKey) {
  try {
    localStorage.removeItem(keyOf(draftKey))
  } catch {
    // If the browser can't store drafts, there's nothing to remove.
  }
}

/** What a tab tells the others after it sent a draft. */
interface SentDraft {
  key?: string | undefined
  /** Where it's posted. */
  path: string
  /** JSON of what was sent, and of the draft as that tab opened it. */
  texts: string[]
}

/** Other tabs learn about this where the draft was stored. Nothing of it stays there. */
export function announceSent(draftKey: DraftKey, sent: SentDraft) {
  try {
    localStorage.setItem(keyOf(draftKey), JSON.stringify({ sent }))
  } catch {
    // If the browser stores nothing, no other tab has seen this draft.
  }
  clearDraft(draftKey)
}

/** What another tab said there, or undefined. */
export function sentIn(stored: string | null): SentDraft | undefined {
  try {
    const { sent } = JSON.parse(stored ?? 'null') ?? {}
    return String(sent?.path).startsWith('/') && Array.isArray(sent.texts) ? sent : undefined
  } catch {
    return undefined
  }
}

/** This browser's drafts that `who` may see, newest first. */
export function listDrafts(who?: string): StoredDraft[] {
  const drafts: StoredDraft[] = []
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i)
      if (!key?.startsWith(PREFIX)) continue
      const draft = parsed(() => localStorage.getItem(key))
      if (draft && isFor(draft, who)) drafts.push(draft)
    }
  } catch {
    // A browser that stores nothing has none.
  }
  return drafts.sort((one, other) => other.savedAt - one.savedAt)
}

/** Undefined for anything an older version or someone else left there. */
function parsed<Content>(read: () => string | null): StoredDraft<Content> | undefined {
  try {
    const draft = JSON.parse(read() ?? 'null')
    const isDraft =
      typeof draft?.content === 'object' && draft.content && String(draft.path).startsWith('/')
    return isDraft ? { ...draft, content: withCurrentName(draft.content) } : undefined
  } catch {
    return undefined
  }
}

/** Older versions stored the idempotency key as `sending`. */
const withCurrentName = ({ sending, ...content }: { sending?: string }) =>
  sending === undefined ? content : { ...content, idempotencyKey: sending }

/**
 * Saves `content` as it changes: after a pause, when the page goes away, and on unmount. An earlier draft goes to
 * `onRestore` once after hydration, and again when someone returns from another tab that changed it. If another tab
 * sends the draft, the form says so. Newer text here becomes a draft of its own. The rest was sent with the other
 * tab's.
 */
export function useDraft<Content extends object>(parts: DraftParts<Content>) {
  const { draftKey, content, isBlank, onRestore, onSentElsewhere } = parts
  const [isRestored, setRestored] = useState(false)
  const [sentElsewhere, setSentElsewhere] = useState<SentElsewhere>()
  const id = keyOf(draftKey)
  const text = JSON.stringify(content)
  /** Doesn't need saving, because it's stored or not worth it. */
  const settled = useRef(text)
  const latest = useRef({ draftKey, content, isBlank, text, onRestore, onSentElsewhere })
  latest.current = { draftKey, content, isBlank, text, onRestore, onSentElsewhere }
  /** The draft as this tab found it. */
  const restored = useRef<string>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each draft and person
  useEffect(() => {
    const found = readDraft<Content>(latest.current.draftKey)
    if (found) take(found.content, false)
  }, [id, draftKey.who])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text begins a new pause
  useEffect(() => {
    const timer = setTimeout(save, SAVE_MS)
    return () => clearTimeout(timer)
  }, [text])

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the latest of everything
  useEffect(() => {
    const comeOrGo = () => (document.visibilityState === 'hidden' ? save() : catchUp())
    addEventListener('pagehide', save)
    addEventListener('focus', catchUp)
    document.addEventListener('visibilitychange', comeOrGo)
    return () => {
      save()
      removeEventListener('pagehide', save)
      removeEventListener('focus', catchUp)
      document.removeEventListener('visibilitychange', comeOrGo)
    }
  }, [id])

  useEffect(() => {
    let isWiped = false
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key !== id) return
      const sent = sentIn(newValue)
      const current = latest.current
      if (sent && sent.key === keyIn(current.content)) {
        const isKept = !current.isBlank && ![...sent.texts, restored.current].includes(current.text)
        const next = current.onSentElsewhere(isKept, contentIn<Content>(sent))
        // The draft was sent, so don't save it, and don't remove what another tab has started there since.
        if (!isKept) settled.current = JSON.stringify(next)
        isWiped = isKept
        restored.current = undefined
        setRestored(false)
        setSentElsewhere({ path: sent.path, isKept, isEdit: current.draftKey.isEdit })
      } else if (sent) isWiped = !current.isBlank
      else if (newValue === null && isWiped) {
        // The draft was stored under the other tab's key, and removed along with that.
        isWiped = false
        saveDraft(current.draftKey, current.content)
      }
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [id])

  function save() {
    const { draftKey, content, isBlank, text } = latest.current
    if (text === settled.current) return
    settled.current = text
    if (isBlank) clearDraft(draftKey)
    else saveDraft(draftKey, content)
  }

  function take(found: Content, isNewer: boolean) {
    settled.current = JSON.stringify(found)
    restored.current = settled.current
    // If the form unmounts before it shows this text, no one emptied it.
    latest.current.text = settled.current
    latest.current.onRestore(found, isNewer)
    setRestored(true)
  }

  /** People who return to this tab continue with what they typed in another, rather than overwrite it. */
  function catchUp() {
    const { draftKey, content, isBlank, text } = latest.current
    const found = readDraft<Content>(draftKey)?.content
    const isSettled = text === settled.current
    if (!found || !isSettled || JSON.stringify(found) === text) return
    const isSame = isBlank || keyIn(found) === keyIn(content)
    // While a draft is being sent, it keeps the text it was sent with.
    if (isSame && !document.querySelector(BUSY_BUTTON)) take(found, true)
  }

  const begin = (next: Content) => {
    settled.current = JSON.stringify(next)
    latest.current.text = settled.current
    restored.current = undefined
    setRestored(false)
    setSentElsewhere(undefined)
  }
  return {
    /** True until the draft is discarded or sent. */
    isRestored,
    /** Kept until something else is sent or discarded here. */
    sentElsewhere,
    /** Takes what the form holds from now on. We save it only once it changes. */
    clear: (next: Content) => {
      begin(next)
      clearDraft(latest.current.draftKey)
    },
    /** Like `clear`, after sending, and tells other tabs. `path` is where it's posted. */
    sent: (next: Content, path: string) => {
      const { draftKey, content, text } = latest.current
      const texts = [text, ...(restored.current ? [restored.current] : [])]
      begin(next)
      announceSent(draftKey, { key: keyIn(content), path, texts })
    },
  }
}

function contentIn<Content>({ texts: [text] }: SentDraft): Content | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface SentElsewhere {
  path: string
  isEdit?: boolean | undefined
  /** Text typed here since then stays in the form. */
  isKept: boolean
}

/** The names of a form's idempotency key. */
type Keyed = { idempotencyKey?: string; id?: string }

export function keyIn(content: object): string | undefined {
  const { idempotencyKey, id } = content as Keyed
  return idempotencyKey ?? id
}

/** A new key, because the form's next text is another post. */
export function withNewKey<Content extends object>(content: Content): Content {
  const name = (['idempotencyKey', 'id'] as const).find((name) => name in content)
  return name ? { ...content, [name]: newIdempotencyKey() } : content
}

interface DraftParts<Content extends object> {
  draftKey: DraftKey
  content: Content
  isBlank: boolean
  /** `isNewer` takes the draftKey of whatever the form holds. */
  onRestore: (content: Content, isNewer: boolean) => void
  /**
   * Another tab sent this draft. Returns what the form holds from now on. If `isKept`, the same with a new idempotency
   * key; otherwise nothing, or `sent` if that's posted and can be edited.
   */
  onSentElsewhere: (isKept: boolean, sent: Content | undefined) => Content
}
