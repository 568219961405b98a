/** Walks through JSON that arrives in pieces, and finds the lists in it. */
import { EACH_VALUE, ROOT_LIST } from './file-reading.ts'
import { IMPORT_REFUSALS } from './import-report.ts'

/** Companies are flat, so this is plenty. */
const DEPTH_MAX = 50
/** A list has a shorter name. */
const KEY_MAX = 200

/** "" is a text, a number or a word. */
type JsonKind = '{' | '[' | ''

/** An array or object that's open, or the file itself. */
export interface JsonFrame {
  close: '}' | ']' | ''
  /** Such as "data.items". Undefined within an array. */
  path: string | undefined
  /** An object's last key. */
  key: string
  wants: 'first' | 'key' | 'colon' | 'value' | 'comma'
}

export interface JsonWalker {
  /** Whether the insides of a frame's values don't matter. */
  isList(frame: JsonFrame): boolean
  begin(frame: JsonFrame, kind: JsonKind, at: number): void
  end(frame: JsonFrame, at: number): void
  broken(): Error
}

const CLOSING: Record<string, '}' | ']'> = { '{': '}', '[': ']' }
const SPACE = /\s/
const WORD = /[\w.+-]/

export function createJsonWalk(walker: JsonWalker) {
  const root: JsonFrame = { close: '', path: EACH_VALUE, key: '', wants: 'value' }
  const frames = [root]
  let top = root
  let inText: 'no' | 'yes' | 'escaped' = 'no'
  let isKey = false
  let isWord = false
  /** How many frames are open around the value that we only skip. */
  let skipping = 0

  function begin(kind: JsonKind, at: number) {
    if (skipping === 0) {
      const isWanted = top.wants === 'value' || (top.wants === 'first' && top.close === ']')
      if (!isWanted) throw walker.broken()
      walker.begin(top, kind, at)
      if (walker.isList(top)) skipping = frames.length
    }
    if (kind === '') return
    top = { close: CLOSING[kind] as '}' | ']', path: pathIn(top), key: '', wants: 'first' }
    if (frames.push(top) > DEPTH_MAX) throw walker.broken()
  }
  function end(at: number) {
    if (skipping > 0 && frames.length > skipping) return
    skipping = 0
    top.wants = top === root ? 'value' : 'comma'
    walker.end(top, at)
  }
  function close(character: string, at: number) {
    const isOpen = skipping === 0 && top.wants !== 'first' && top.wants !== 'comma'
    if (top.close !== character || isOpen) throw walker.broken()
    frames.pop()
    top = frames.at(-1) ?? root
    end(at + 1)
  }
  function endText(at: number) {
    if (isKey) top.wants = 'colon'
    else end(at + 1)
    isKey = false
  }
  function beginText(at: number) {
    isKey = skipping === 0 && top.close === '}' && (top.wants === 'first' || top.wants === 'key')
    if (isKey) top.key = ''
    else begin('', at)
  }
  function take(character: string, at: number) {
    if (character === '"') {
      inText = 'yes'
      beginText(at)
    } else if (character === '{' || character === '[') begin(character, at)
    else if (character === '}' || character === ']') close(character, at)
    else if (skipping > 0 && frames.length > skipping) return
    else if (character === ',' && top.wants === 'comma')
      top.wants = top.close === '}' ? 'key' : 'value'
    else if (character === ':' && top.wants === 'colon') top.wants = 'value'
    // Some write a comma between lines.
    else if (character === ',' && top === root) return
    else if (WORD.test(character)) {
      isWord = true
      begin('', at)
    } else throw walker.broken()
  }

  return {
    /** @throws what the walker calls broken */
    read(text: string) {
      for (let at = 0; at < text.length; at++) {
        const character = text.charAt(at)
        if (inText !== 'no') {
          if (inText === 'escaped') inText = 'yes'
          else if (character === '\\') inText = 'escaped'
          else if (character === '"') inText = 'no'
          if (inText === 'no') endText(at)
          else if (isKey && top.key.length < KEY_MAX) top.key += character
          continue
        }
        if (isWord && WORD.test(character)) continue
        if (isWord) end(at)
        isWord = false
        if (!SPACE.test(character)) take(character, at)
      }
    },
    /** @returns whether everything is closed. A word at the end of the text ends there. */
    end(at: number): boolean {
      if (isWord) end(at)
      isWord = false
      return frames.length === 1 && inText === 'no'
    },
  }
}

function pathIn(frame: JsonFrame): string | undefined {
  if (frame.path === undefined || frame.close === ']') return undefined
  if (frame.path === EACH_VALUE) return ROOT_LIST
  return frame.path === ROOT_LIST ? frame.key : `${frame.path}.${frame.key}`
}

interface Found {
  path: string
  isArray: boolean
  kinds: Set<JsonKind>
  /** Kinds by key, of an object. */
  keys: Map<string, JsonKind>
}

export interface JsonShape {
  /** How many values the file has side by side. */
  values: number
  /** The keys of an object that is the whole file. */
  keys: ReadonlyMap<string, JsonKind>
  /** Whether the file's arrays have nothing but texts, numbers and words. */
  isFlat: boolean
  /** Arrays, and objects whose values are all objects. */
  lists: string[]
}

const KEYS_MAX = 100

/** Reads the whole file. Undefined if it isn't valid around its rows. */
export async function shapeOf(texts: AsyncIterable<string>): Promise<JsonShape | undefined> {
  const found = new Map<string, Found>()
  let values = 0
  const broken = new Error(IMPORT_REFUSALS.brokenBody)
  const walk = createJsonWalk({
    isList: ({ close }) => close === ']',
    begin({ path, close, key }, kind) {
      if (path === EACH_VALUE) values++
      if (path === undefined || path === EACH_VALUE) return
      const here = found.get(path) ?? {
        path,
        isArray: close === ']',
        kinds: new Set(),
        keys: new Map(),
      }
      found.set(path, here)
      here.kinds.add(kind)
      if (close === '}' && here.keys.size < KEYS_MAX) here.keys.set(key, kind)
    },
    end() {},
    broken: () => broken,
  })
  try {
    for await (const text of texts) walk.read(text)
    walk.end(0)
  } catch (error) {
    if (error !== broken) throw error
    return undefined
  }
  const lists = [...found.values()].filter(
    ({ isArray, kinds }) => isArray || (kinds.has('{') && kinds.size === 1),
  )
  const isAround = ({ path, isArray }: Found, other: Found) =>
    !isArray && other.path !== path && (path === ROOT_LIST || other.path.startsWith(`${path}.`))
  return {
    values,
    keys: found.get(ROOT_LIST)?.keys ?? new Map(),
    isFlat: [...(found.get(ROOT_LIST)?.kinds ?? ['{'])].every((kind) => kind === ''),
    lists: lists
      .filter((list) => !lists.some((other) => isAround(list, other)))
      .map(({ path }) => path),
  }
}
