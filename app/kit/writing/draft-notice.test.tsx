/** The notice above a form with a restored draft. */
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DraftRestored } from './draft-notice.tsx'

const shown = (isRestored: boolean, isKept?: boolean, isBlank = false) =>
  renderToString(
    <DraftRestored
      draft={{
        isRestored,
        sentElsewhere: isKept === undefined ? undefined : { path: '/thread/1', isKept },
      }}
      isBlank={isBlank}
      onDiscard={() => {}}
    />,
  )
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test.each([
  ['nothing was begun', shown(false), ''],
  ['a draft is there', shown(true), 'Draft restored Discard'],
  ['it was emptied since', shown(true, undefined, true), ''],
  [
    'another tab sent it, and nothing was typed here since',
    shown(false, false),
    'You posted this in another tab. See your post .',
  ],
  [
    'another tab sent it, and something was typed here since',
    shown(false, true),
    'You posted this in another tab. See your post . Anything you’ve typed here since then is a new draft. Discard',
  ],
  [
    'what was typed here since is emptied, too',
    shown(false, true, true),
    'You posted this in another tab. See your post .',
  ],
])('the notice about drafts fits where %s', (_, html, text) => {
  expect(textOf(html)).toBe(text)
  // It is read out once it has something to say.
  expect(html).toContain('role="status"')
})
