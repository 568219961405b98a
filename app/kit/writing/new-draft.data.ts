/** A post, job or reply while it is new: its draft in this browser, and how it becomes one post however often it is sent. */
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
    // What was typed before the page came to life wins. An older version may have stored less.
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
    /** It was posted, and stands at `path`. */
    sent: (path: string) => startOver(path),
  }
}

interface NewDraft<Text> {
  draftKey: DraftKey
  /** The empty form, with a new idempotency key where it has one. @param now what is replaced, for choices that stay */
  empty: (now?: Text) => Text
  /** True if nothing in it would be missed. */
  isBlank: (text: Text) => boolean
}

/**
 * A request whose response was lost may have arrived. Sent again it keeps its key, and the server answers with the first
 * post; `change` then brings that up to date. Where the key stands for a text that this tab doesn't know, or that can't
 * be changed into this one, the request is refused and `onKeyUsed` gives the form another key.
 */
export function usePosting(onKeyUsed: () => void) {
  /** What was sent first, and may have arrived. */
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
      // What was refused was not made: only a lost response leaves that open.
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
