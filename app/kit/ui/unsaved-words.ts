/** Words in a form that are lost with it: we ask before somebody leaves it. The page's one memory of what forms began with. */

type WordField = HTMLInputElement | HTMLTextAreaElement

/** On a form whose words go with it. */
const ASKS = 'data-asks'

/**
 * Where a form's words live on without it; nowhere, as a rule. What its window keeps goes when somebody closes that, as
 * they know; not when the page goes under it.
 */
export type KeptIn = 'browser' | 'tab' | 'window'

/** Spread it on a form. */
export const asksFirst = (keptIn?: KeptIn) =>
  keptIn === 'browser' ? {} : { [ASKS]: keptIn ?? 'always' }

/** What each field of a form held before the person came to it. */
const beginnings = new WeakMap<HTMLFormElement, Map<WordField, string>>()
const sending = new WeakSet<HTMLFormElement>()

/** The form goes out, and what comes of it decides. */
export const wordsAreSent = (form: HTMLFormElement) => void sending.add(form)

/** The server refused it: its words are only here. */
export const wordsAreHere = (form: HTMLFormElement) => void sending.delete(form)

/** Nobody misses them: they are stored, or not wanted. */
export function forgetWords(form: HTMLFormElement) {
  sending.delete(form)
  beginnings.delete(form)
}

/**
 * Whether a form holds words that it did not begin with, and that would be lost.
 * @param within only in there, where a window closes; else the page goes
 * @param isClosing the tab goes too, and with it what only the tab keeps
 */
export function isUnsaved(within?: ParentNode, isClosing = false): boolean {
  const forms = (within ?? document).querySelectorAll<HTMLFormElement>(`form[${ASKS}]`)
  return [...forms].some((form) => {
    const keptIn = form.getAttribute(ASKS)
    const isKept = keptIn === 'tab' || (keptIn === 'window' && within !== undefined)
    // What is on its way may still be refused, which nobody hears of in a closed tab.
    if (!isClosing && (isKept || sending.has(form))) return false
    const fields = wordFields(form)
    // One line is a word, and soon typed once more.
    const isWorthIt = fields.length > 1 || fields.some((field) => field.type === 'textarea')
    const began = beginnings.get(form)
    return isWorthIt && fields.some((field) => isChanged(field, began?.get(field)))
  })
}

const isChanged = ({ value }: WordField, began: string | undefined) =>
  began !== undefined && value.trim() !== began.trim()

/** Notes what a form holds when somebody comes to it; `onBegin` hears of each time. */
export function watchWords(page: Document, onBegin: () => void) {
  const note = ({ target }: Event) => {
    const form = (target as Partial<WordField> | null)?.form
    if (!form?.hasAttribute(ASKS)) return
    remember(form, ({ value }) => value)
    onBegin()
  }
  // What is in a form already may have been typed before this was here.
  for (const form of page.querySelectorAll<HTMLFormElement>(`form[${ASKS}]`))
    remember(form, ({ defaultValue }) => defaultValue)
  // A text is chosen, or a button fills it in, by the click that brings the focus.
  for (const moment of ['focusin', 'pointerdown', 'keydown'])
    page.addEventListener(moment, note, true)
}

/** Of a field that was noted before, nothing changes. */
function remember(form: HTMLFormElement, read: (field: WordField) => string) {
  const began = beginnings.get(form) ?? new Map<WordField, string>()
  beginnings.set(form, began)
  for (const field of wordFields(form)) if (!began.has(field)) began.set(field, read(field))
}

const wordFields = (form: HTMLFormElement) => [...form.elements].filter(isWordField)

function isWordField(field: Element): field is WordField {
  if (field instanceof HTMLTextAreaElement) return !field.readOnly
  return (
    field instanceof HTMLInputElement &&
    ['text', 'url'].includes(field.type) &&
    !field.readOnly &&
    !field.matches('[role="combobox"]')
  )
}
