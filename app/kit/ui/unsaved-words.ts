/** Words that would be lost with their form, so we ask first. The page's one memory of what forms began with. */

type WordField = HTMLInputElement | HTMLTextAreaElement

/** On a form whose words go with it. */
const ASKS = 'data-asks'

/**
 * Where a form's words survive, by default nowhere. What a dialog keeps is lost when people close it, as they know,
 * but not when the page goes.
 */
export type KeptIn = 'browser' | 'tab' | 'window'

/** Spread it on a form. */
export const asksFirst = (keptIn?: KeptIn) =>
  keptIn === 'browser' ? {} : { [ASKS]: keptIn ?? 'always' }

/** What each field held before the person came to it. */
const beginnings = new WeakMap<HTMLFormElement, Map<WordField, string>>()
const sending = new WeakSet<HTMLFormElement>()

/** The form is being sent. */
export const wordsAreSent = (form: HTMLFormElement) => void sending.add(form)

/** The server refused it, so its words are only here. */
export const wordsAreHere = (form: HTMLFormElement) => void sending.delete(form)

/** They're stored, or not wanted. */
export function forgetWords(form: HTMLFormElement) {
  sending.delete(form)
  beginnings.delete(form)
}

/**
 * Whether a form holds new words that would be lost.
 * @param within a dialog that closes; without it the page goes
 * @param isClosing the tab goes too, with what only the tab keeps
 */
export function isUnsaved(within?: ParentNode, isClosing = false): boolean {
  const forms = (within ?? document).querySelectorAll<HTMLFormElement>(`form[${ASKS}]`)
  return [...forms].some((form) => {
    const keptIn = form.getAttribute(ASKS)
    const isKept = keptIn === 'tab' || (keptIn === 'window' && within !== undefined)
    // What's being sent may still be refused, which no one sees in a closed tab.
    if (!isClosing && (isKept || sending.has(form))) return false
    const fields = wordFields(form)
    // A single line is quickly typed again.
    const isWorthIt = fields.length > 1 || fields.some((field) => field.type === 'textarea')
    const began = beginnings.get(form)
    return isWorthIt && fields.some((field) => isChanged(field, began?.get(field)))
  })
}

const isChanged = ({ value }: WordField, began: string | undefined) =>
  began !== undefined && value.trim() !== began.trim()

/** Notes what a form holds when someone comes to it, and calls `onBegin` each time. */
export function watchWords(page: Document, onBegin: () => void) {
  const note = ({ target }: Event) => {
    const form = (target as Partial<WordField> | null)?.form
    if (!form?.hasAttribute(ASKS)) return
    remember(form, ({ value }) => value)
    onBegin()
  }
  // It may hold text from before this code ran.
  for (const form of page.querySelectorAll<HTMLFormElement>(`form[${ASKS}]`))
    remember(form, ({ defaultValue }) => defaultValue)
  // A click that gives the focus may also choose or fill in a text.
  for (const moment of ['focusin', 'pointerdown', 'keydown'])
    page.addEventListener(moment, note, true)
}

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
