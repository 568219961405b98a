/** A new post, job or reply: its draft in this browser, and how it becomes one post no matter how often it's sent. */
import { useRef, useState } from 'react'
import { isRefused } from '#app/api/client.ts'
import { isKeyUsed } from '../forms/idempotency-key.ts'
import { type DraftKey, keyIn, useDraft, withNewKey } from './draft.data.ts'

export function useNewDraft<Text extends object>({ draftKey, empty, isBlank }: NewDraft<Text>) {
  const [text, setText] = useState(() => empty())
  const post = usePosting(() => setText(withNewKey))
  const draft = useDraft<Text>({
    draftKey,
    content: text,
    isBlank: isBlank(text),
    // Text typed before the page was ready wins. An older version may have stored less.
    onRestore: (found, isNewer) =>
      setText((now) => (isNewer || isBlank(now) ? { ...empty(), ...found } : now)),
    onSentElsewhere: (isKept) => {
      const next = isKept ? withNewKey(text) : empty()
      setText(next)
      return next
    },
  })
  const startOver = (path?: string) => {
    const next = empty(text)
    if (path) draft.sent(next, path)
    else draft.clear(next)
    setText(next)
  }
  return {
    text,
    change: (part: Partial<Text> | ((now: Text) => Partial<Text>)) =>
      setText((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) })),
    draft,
    isBlank: isBlank(text),
    discard: () => startOver(),
    post,
    /** Call this once the draft is posted at `path`. */
    sent: (path: string) => startOver(path),
  }
}

interface NewDraft<Text> {
  draftKey: DraftKey
  /** The empty form, with a new idempotency key if it has one. @param now what the form holds, for choices that stay */
  empty: (now?: Text) => Text
  /** True if no one would miss anything in it. */
  isBlank: (text: Text) => boolean
}

/**
 * If a response was lost, the request may have arrived. When it's sent again, it keeps its key, and the server answers
 * with the first post. `change` then updates that post. If the key belongs to a text that this tab doesn't know, or that
 * can't be changed into this one, the request is refused and `onKeyUsed` gives the form another key.
 */
export function usePosting(onKeyUsed: () => void) {
  /** The text that was sent first, and may have arrived. */
  const tried = useRef<object>(undefined)
  return async function post<Input extends object, Posted>(
    input: Input,
    send: (input: Input) => Promise<Posted>,
    change?: (posted: Posted) => Promise<unknown>,
  ): Promise<Posted> {
    const isTried = tried.current && keyIn(tried.current) === keyIn(input)
    const first = isTried ? (tried.current as Input) : undefined
    tried.current = first ?? input
    try {
      const posted = await send(input).catch((error) => {
        if (change && first && isKeyUsed(error) && isSameBesidesText(first, input))
          return send(first)
        throw error
      })
      if (change && first && JSON.stringify(first) !== JSON.stringify(input)) await change(posted)
      tried.current = undefined
      return posted
    } catch (error) {
      // A refused post doesn't exist. Only a lost response leaves that open.
      if (isRefused(error)) tried.current = first
      if (isKeyUsed(error)) onKeyUsed()
      throw error
    }
  }
}

/** The rest of a post, such as its name and its poll, stays as it was sent first. */
const isSameBesidesText = (...inputs: object[]) =>
  new Set(
    inputs.map((input) =>
      JSON.stringify({ ...input, title: '', body: '', topics: [], job: null, isDraft: false }),
    ),
  ).size === 1
