/**
 * If the content security policy requires trusted types, browsers accept markup and script URLs only from this policy, and
 * refuse any other `innerHTML`. Older browsers, the server and tests don't have these types.
 */
import { useMemo } from 'react'

interface Policy {
  createHTML(html: string): TrustedHTML
  createScriptURL(url: string): unknown
}
interface WithPolicies {
  trustedTypes?: { createPolicy(name: string, rules: object): Policy }
}

const asIs = (text: string) => text
const policy = (globalThis as WithPolicies).trustedTypes?.createPolicy('kettle', {
  createHTML: asIs,
  createScriptURL: asIs,
})

/** @param html safe, because it's the server's or our own */
export const trustedHtml = (html: string) => policy?.createHTML(html) ?? html

/**
 * Returns the same object as long as the text stays the same, or React would write it again. @param html safe, from the
 * server
 */
export const useTrustedHtml = (html: string) =>
  useMemo(() => ({ __html: trustedHtml(html) }), [html])

/** @param url one of the build's. Typed as text, because TypeScript's DOM has no other type for it */
export const trustedScriptUrl = (url: string) => (policy?.createScriptURL(url) ?? url) as string

/** A post's plain text, for a line in a list. @param html safe, from the server */
export const textOfHtml = (html: string) =>
  new DOMParser()
    .parseFromString(trustedHtml(html) as string, 'text/html')
    .body.textContent?.replace(/\s+/g, ' ')
    .trim() ?? ''
