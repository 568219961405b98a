/** Which words of a form would be lost with it. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { isUnsaved, markSaved, markSent, markUnsent, watchFields } from './unsaved-guard.ts'

class Field {
  readOnly = false
  form: Form | undefined
  value: string
  constructor(
    readonly type: string,
    readonly defaultValue = '',
  ) {
    this.value = defaultValue
  }
  matches = () => false
}
class Area extends Field {}
class Line extends Field {}

class Form {
  constructor(
    readonly elements: Field[],
    readonly asks: 'always' | 'tab' | 'window' | null = 'always',
  ) {
    for (const field of elements) field.form = this
  }
  hasAttribute = () => this.asks !== null
  getAttribute = () => this.asks
}

class Page extends EventTarget {
  constructor(readonly forms: Form[]) {
    super()
  }
  querySelectorAll = () => this.forms.filter(({ asks }) => asks !== null)
}

beforeEach(() => {
  vi.stubGlobal('HTMLTextAreaElement', Area)
  vi.stubGlobal('HTMLInputElement', Line)
})

const area = (text?: string) => new Area('textarea', text)
const line = (text?: string, type = 'text') => new Line(type, text)

/** A page with this form. `come` is what happens before someone types. */
function pageWith(form: Form) {
  const page = new Page([form])
  vi.stubGlobal('document', page)
  watchFields(page as unknown as Document, () => {})
  const element = form as unknown as HTMLFormElement
  return {
    element,
    type: (field: Field, text: string) => {
      const event = new Event('keydown')
      Object.defineProperty(event, 'target', { value: field })
      page.dispatchEvent(event)
      field.value = text
    },
    isUnsaved: (isClosing?: boolean) => isUnsaved(undefined, isClosing),
    isWindowUnsaved: () => isUnsaved(page as unknown as ParentNode),
  }
}

describe('the question before leaving', () => {
  test('a form asks once its text differs from its start, and not if that’s restored', () => {
    const text = area('We make tea')
    const page = pageWith(new Form([text]))
    expect(page.isUnsaved()).toBe(false)
    page.type(text, 'We make coffee')
    expect(page.isUnsaved()).toBe(true)
    page.type(text, 'We make tea ')
    expect(page.isUnsaved()).toBe(false)
  })

  test('a form also asks about emptied fields, and text typed before it was watched', () => {
    const text = area('We make tea')
    text.value = ''
    expect(pageWith(new Form([text])).isUnsaved()).toBe(true)
  })

  test('a form doesn’t ask about one word in one line, a password or a read-only text', () => {
    const fixed = area()
    fixed.readOnly = true
    const fields = [line(), line('', 'password'), fixed]
    const page = pageWith(new Form(fields))
    for (const field of fields) page.type(field, 'typed')
    expect(page.isUnsaved()).toBe(false)
  })

  test('a form doesn’t ask while or after it’s sent, except if it was refused', () => {
    const text = area()
    const page = pageWith(new Form([text, line()]))
    page.type(text, 'Typed')
    markSent(page.element)
    expect([page.isUnsaved(), page.isUnsaved(true)]).toEqual([false, true])
    markUnsent(page.element)
    expect(page.isUnsaved()).toBe(true)
    markSaved(page.element)
    expect([page.isUnsaved(), page.isUnsaved(true)]).toEqual([false, false])
    page.type(text, 'Typed since')
    expect(page.isUnsaved()).toBe(true)
  })

  test('a form that only the tab keeps asks before the tab closes, and one the browser keeps never does', () => {
    const text = area()
    const inTab = pageWith(new Form([text], 'tab'))
    inTab.type(text, 'Typed')
    expect([inTab.isUnsaved(), inTab.isUnsaved(true)]).toEqual([false, true])
    const draft = area()
    const inBrowser = pageWith(new Form([draft], null))
    inBrowser.type(draft, 'Typed')
    expect(inBrowser.isUnsaved(true)).toBe(false)
  })

  test('a form that only the window keeps asks before the page goes, and not before the window closes', () => {
    const text = area()
    const page = pageWith(new Form([text], 'window'))
    page.type(text, 'Typed')
    expect([page.isUnsaved(), page.isUnsaved(true), page.isWindowUnsaved()]).toEqual([
      true,
      true,
      false,
    ])
  })
})
