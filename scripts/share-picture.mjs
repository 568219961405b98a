// Draws app/kit/ui/public/share.png, which appears with shared links to the site:
//   npx tsx scripts/share-picture.mjs
//
// It uses a browser, for the site's own fonts. The result is in the repository, so servers need neither. It doesn't show
// the site's name, because every site can choose one.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { launchChromium } from '../tests/support/chromium.ts'
import { readCommand } from './command.mjs'
import { root } from './prepare.mjs'

readCommand({
  name: 'share-picture.mjs',
  does: 'Draws app/kit/ui/public/share.png again. Run it with npx tsx.',
  example: 'npx tsx scripts/share-picture.mjs',
})

const WIDTH = 1200
const HEIGHT = 630
const font = (name) =>
  readFileSync(
    join(root, `node_modules/@fontsource-variable/newsreader/files/${name}.woff2`),
  ).toString('base64')

const mark = readFileSync(join(root, 'app/kit/ui/public/favicon.svg'), 'utf8').replace(
  '<svg ',
  '<svg class="mark" ',
)

const page = `<!doctype html><meta charset="utf-8"><style>
  @font-face { font-family: N; font-weight: 200 800; src: url(data:font/woff2;base64,${font('newsreader-latin-wght-normal')}) }
  * { margin: 0; box-sizing: border-box }
  body { width: ${WIDTH}px; height: ${HEIGHT}px; background: #faf7f2; color: #1c2230;
         display: grid; grid-template-columns: 300px 1fr; gap: 64px; align-items: center;
         padding: 0 96px 0 88px; border-bottom: 20px solid #9a4d0c; font-family: N }
  .mark { width: 300px }
  h1 { font-size: 76px; line-height: 1.06; font-weight: 500; letter-spacing: -0.02em; text-wrap: balance }
  p { margin-top: 30px; font-size: 34px; line-height: 1.3; color: #4b5162; text-wrap: balance }
</style>${mark}<div><h1>Spill the tea and rate your company, anonymously.</h1>
<p>Honest insights about workplace culture, with peers.</p></div>`

const browser = await launchChromium()
try {
  const tab = await browser.newPage({
    viewport: { width: WIDTH, height: HEIGHT },
    colorScheme: 'light',
  })
  await tab.setContent(page)
  await tab.evaluate(() => document.fonts.ready)
  const picture = await sharp(await tab.screenshot())
    .png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 })
    .toBuffer()
  writeFileSync(join(root, 'app/kit/ui/public/share.png'), picture)
  console.log(`app/kit/ui/public/share.png: ${picture.length} bytes`)
} finally {
  await browser.close()
}
