/** Values that components share, in the page or in local storage, where tabs share them, too. */
import { useSyncExternalStore } from 'react'

interface StoredValue<Value> {
  defaultValue: Value
  current: () => Value
  watch: (watcher: () => void) => () => void
  change: (to: (value: Value) => Value) => void
}

/** Registers a listener for changes, as `useSyncExternalStore` requires. */
export function createWatchers() {
  const watchers = new Set<() => void>()
  return {
    watch: (watcher: () => void) => {
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
    tell: () => {
      for (const watcher of watchers) watcher()
    },
  }
}

/**
 * @param read parses what's stored, and returns the default for anything invalid
 * @param mayKeep whether it may outlive the page
 * @param storageOf where it's stored
 */
export function storedValue<Value>(
  key: string,
  read: (stored: string | null) => Value,
  mayKeep = () => true,
  storageOf = () => localStorage,
): StoredValue<Value> {
  const defaultValue = read(null)
  const watchers = createWatchers()
  let known: { text: string | null; value: Value } | undefined

  const stored = () => {
    try {
      return storageOf().getItem(key)
    } catch {
      return known?.text ?? null
    }
  }
  const current = (): Value => {
    // Values we may not store live only in this page.
    const text = mayKeep() ? stored() : (known?.text ?? null)
    if (known?.text !== text) known = { text, value: read(text) }
    return known.value
  }
  const change = (to: (value: Value) => Value) => {
    const value = to(current())
    const text = JSON.stringify(value)
    // The default leaves nothing behind.
    known = { text: text === JSON.stringify(defaultValue) ? null : text, value }
    try {
      if (known.text === null) storageOf().removeItem(key)
      else if (mayKeep()) storageOf().setItem(key, known.text)
    } catch {
      // If the browser can't store anything, it keeps the value until the page closes.
    }
    watchers.tell()
  }
  const watch = (watcher: () => void) => {
    const follow = (event: StorageEvent) => event.key === key && watcher()
    const unwatch = watchers.watch(watcher)
    addEventListener('storage', follow)
    return () => {
      unwatch()
      removeEventListener('storage', follow)
    }
  }
  return { defaultValue, current, watch, change }
}

/** One value for each name behind `prefix`, such as each person's. */
export function storedValues<Value>(prefix: string, read: (stored: string | null) => Value) {
  const known = new Map<string, StoredValue<Value>>()
  return (name: string): StoredValue<Value> => {
    const value = known.get(name) ?? storedValue(prefix + name, read)
    known.set(name, value)
    return value
  }
}

/** The default on the server and while hydrating. */
export const useStored = <Value>({ defaultValue, current, watch }: StoredValue<Value>): Value =>
  useSyncExternalStore(watch, current, () => defaultValue)

/** Runs in one tab or worker at a time. Browsers without locks run it immediately. */
export const inOneTab = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  globalThis.navigator?.locks ? navigator.locks.request(name, work) : work()
