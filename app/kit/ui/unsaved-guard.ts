/** Asks before someone loses unsaved text with a link, with Back or by closing the tab. */
import { guardAddress } from './address.ts'
import { createWatchers } from './stored-value.ts'

/** What was about to happen. */
let leave: (() => void) | undefined
const { watch, tell } = createWatchers()

function ask(next: typeof leave) {
  leave = next
  tell()
}

/** What the dialog that asks reads. */
export const leaving = {
  current: () => leave,
  stay: () => ask(undefined),
  watch,
}

/**
 * Does it immediately, or asks first if text would be lost. @param within only considers text in this element
 * @returns whether it was done
 */
export function leaveBy(go: () => void, within?: ParentNode): boolean {
  const isFree = !isUnsaved(within)
  if (isFree) go()
  else ask(go)
  return isFree
}

/** Starts guarding the page. */
export function guardLeaving() {
  let here = addressNow()
  /** How far Back went, while we return. */
  let steps: number | undefined
  let isFree = false
  for (const moved of ['pushState', 'replaceState', 'hashchange'])
    addEventListener(moved, () => {
      if (isHere(here) || steps === undefined) here = addressNow()
    })

  const onMove = (event: PopStateEvent) => {
    if (isHere(here)) {
      const way = steps
      steps = undefined
      // Ask only now, because the page follows the URL, which was the other one until now.
      if (way !== undefined)
        ask(() => {
          isFree = true
          history.go(way)
        })
    } else if (isFree || !isUnsaved()) {
      isFree = false
      here = addressNow()
    } else {
      event.stopImmediatePropagation()
      steps = stepsFrom(here)
      history.go(-steps)
    }
  }
  guardAddress({ leaveBy, onMove })

  const onClose = (event: BeforeUnloadEvent) => {
    if (isUnsaved(undefined, true)) event.preventDefault()
  }
  // Listen only once there's something to lose, because some browsers don't cache pages that do.
  watchFields(document, () => addEventListener('beforeunload', onClose))
}

interface Address {
  path: string
  index: number | undefined
}

const addressNow = (): Address => ({
  path: location.pathname + location.search,
  index: window.navigation?.currentEntry?.index,
})

const isHere = ({ path }: Address) => path === location.pathname + location.search

/** If a browser doesn't say how far, we assume one step back. */
function stepsFrom({ index }: Address) {
  const now = addressNow().index
  return now === undefined || index === undefined || now === index ? -1 : now - index
}

type TypedField = HTMLInputElement | HTMLTextAreaElement

/** Marks a form whose text would be lost. */
const ASKS = 'data-asks'

/**
 * Where a form's text survives. By default, nowhere. People know that closing a dialog loses its text, but leaving
 * the page shouldn't.
 */
export type StoredIn = 'browser' | 'tab' | 'window'

/** Spread it on a form. */
export const asksFirst = (storedIn?: StoredIn) =>
  storedIn === 'browser' ? {} : { [ASKS]: storedIn ?? 'always' }

/** What each field held before the person got to it. Only this remembers it. */
const beginnings = new WeakMap<HTMLFormElement, Map<TypedField, string>>()
const sending = new WeakSet<HTMLFormElement>()

/** The form is being sent. */
export const markSent = (form: HTMLFormElement) => void sending.add(form)

/** The server refused the form, so its text is only here. */
export const markUnsent = (form: HTMLFormElement) => void sending.delete(form)

/** The text is stored, or no longer wanted. */
export function markSaved(form: HTMLFormElement) {
  sending.delete(form)
  beginnings.delete(form)
}

/**
 * Whether a form holds new text that would be lost. @param within a closing dialog, or nothing if the page is left
 * @param isClosing whether the tab closes, too, and loses what only the tab keeps
 */
export function isUnsaved(within?: ParentNode, isClosing = false): boolean {
  const forms = (within ?? document).querySelectorAll<HTMLFormElement>(`form[${ASKS}]`)
  return [...forms].some((form) => {
    const storedIn = form.getAttribute(ASKS)
    const isKept = storedIn === 'tab' || (storedIn === 'window' && within !== undefined)
    // A form that's being sent may still be refused, and no one sees that in a closed tab.
    if (!isClosing && (isKept || sending.has(form))) return false
    const fields = typedFields(form)
    // A single line is quickly typed again.
    const isWorthIt = fields.length > 1 || fields.some((field) => field.type === 'textarea')
    const began = beginnings.get(form)
    return isWorthIt && fields.some((field) => isChanged(field, began?.get(field)))
  })
}

const isChanged = ({ value }: TypedField, began: string | undefined) =>
  began !== undefined && value.trim() !== began.trim()

/** Notes what a form holds when someone gets to it, and calls `onBegin` each time. */
export function watchFields(page: Document, onBegin: () => void) {
  const note = ({ target }: Event) => {
    const form = (target as Partial<TypedField> | null)?.form
    if (!form?.hasAttribute(ASKS)) return
    remember(form, ({ value }) => value)
    onBegin()
  }
  // The page may hold text from before this code ran.
  for (const form of page.querySelectorAll<HTMLFormElement>(`form[${ASKS}]`))
    remember(form, ({ defaultValue }) => defaultValue)
  // A click that sets the focus may also choose or fill in a text.
  for (const moment of ['focusin', 'pointerdown', 'keydown'])
    page.addEventListener(moment, note, true)
}

function remember(form: HTMLFormElement, read: (field: TypedField) => string) {
  const began = beginnings.get(form) ?? new Map<TypedField, string>()
  beginnings.set(form, began)
  for (const field of typedFields(form)) if (!began.has(field)) began.set(field, read(field))
}

const typedFields = (form: HTMLFormElement) => [...form.elements].filter(isTypedField)

function isTypedField(field: Element): field is TypedField {
  if (field instanceof HTMLTextAreaElement) return !field.readOnly
  return (
    field instanceof HTMLInputElement &&
    ['text', 'url'].includes(field.type) &&
    !field.readOnly &&
    !field.matches('[role="combobox"]')
  )
}
