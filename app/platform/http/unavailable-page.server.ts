import { escaped } from './html-text.server.ts'

export const UNAVAILABLE_TITLE = 'Back in a moment'

/**
 * Markup for the site's layout, instead of a page that needs the database.
 * @param sentence plain text
 */
export const unavailableBody = (sentence: string) => `
<main class="m-auto w-full max-w-md px-6 py-16 text-center">
  <img src="/favicon.svg" alt="" class="mx-auto size-12">
  <h1 class="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink">${UNAVAILABLE_TITLE}</h1>
  <p class="mt-5 leading-relaxed text-pretty text-ink-soft">${escaped(sentence)}</p>
  <p class="mt-9 text-sm"><a class="text-tea underline underline-offset-4" href="">Try again</a></p>
</main>`
