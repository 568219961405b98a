/** Reads XML 1.0 as strictly as a feed reader may, for tests. XML that isn't well-formed is an error. */

export interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const NAME = '[A-Za-z_:][-A-Za-z0-9._:]*'
const TAG = new RegExp(`<(/?)(${NAME})((?:\\s+${NAME}=(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y')
const ENTITY = /&(?:#(\d+)|#x([0-9a-fA-F]+)|(amp|lt|gt|quot|apos));|&/g
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Accepts elements, attributes, text and character references. Refuses comments, CDATA and doctypes. */
export function parseXml(text: string): Element {
  if (!CHARACTERS.test(text)) throw new Error('A character that XML cannot hold')
  const prolog = /^<\?xml version="1\.0" encoding="utf-8"\?>\s*/.exec(text)
  if (!prolog) throw new Error('No XML declaration')
  const top: Element = { name: '', attributes: {}, children: [] }
  const open = [top]
  let at = prolog[0].length
  while (at < text.length) {
    const inside = open.at(-1) as Element
    if (text[at] !== '<') {
      const end = text.indexOf('<', at)
      const words = text.slice(at, end < 0 ? undefined : end)
      if (words.includes(']]>')) throw new Error('"]]>" in a text')
      if (inside === top && words.trim() !== '') throw new Error('Text outside of the root')
      if (inside !== top) inside.children.push(plain(words))
      at += words.length
      continue
    }
    TAG.lastIndex = at
    const tag = TAG.exec(text)
    if (!tag) throw new Error(`Not a tag: ${text.slice(at, at + 40)}`)
    at += tag[0].length
    const [, isEnd, name = '', attributes = '', isEmpty] = tag
    if (isEnd) {
      if (inside.name !== name || inside === top) throw new Error(`</${name}> ends nothing`)
      open.pop()
      continue
    }
    if (inside === top && top.children.length > 0) throw new Error('A second root')
    const element: Element = { name, attributes: attributesIn(attributes), children: [] }
    inside.children.push(element)
    if (!isEmpty) open.push(element)
  }
  const [root] = top.children
  if (open.length > 1 || typeof root !== 'object') throw new Error('Something has no end')
  return root
}

function attributesIn(text: string) {
  const attributes: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([^\s=]+)=("[^"]*"|'[^']*')/g)) {
    if (name in attributes) throw new Error(`Two attributes ${name}`)
    attributes[name] = plain(value.slice(1, -1))
  }
  return attributes
}

const plain = (text: string) =>
  text.replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMED[name] as string
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    const sign = Number.isNaN(code) ? '' : String.fromCodePoint(code)
    if (sign === '' || !CHARACTERS.test(sign)) throw new Error('A bare & or a bad reference')
    return sign
  })

export const childrenOf = ({ children }: Element, name: string) =>
  children.filter((child): child is Element => typeof child === 'object' && child.name === name)

/** The text of the one child of that name. */
export function textOf(element: Element, name: string): string {
  const [child, ...others] = childrenOf(element, name)
  if (!child || others.length > 0) throw new Error(`Not one ${name} in ${element.name}`)
  return child.children.map((part) => (typeof part === 'string' ? part : '')).join('')
}
