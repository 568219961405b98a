// npm run build

import { differences, digestsOf } from './client-files.mjs'
import { readCommand } from './command.mjs'
import { build, giveUp, install, PreparationFailed, root } from './prepare.mjs'

const { force, hashes, compare } = readCommand({
  name: 'build',
  does: 'Installs and builds what’s missing or outdated.',
  options: {
    force: { says: 'builds anyway' },
    hashes: { says: 'prints the digest of each file that browsers get' },
    compare: { word: 'URL', says: 'compares these files with a site’s' },
  },
  example: 'npm run build -- --compare https://kettle.example',
})
process.chdir(root)
const CLIENT = 'dist/client'
try {
  await install()
  await build({ force })
  if (hashes)
    for (const [path, digest] of Object.entries(digestsOf(CLIENT)))
      console.log(`${digest}  ${path}`)
  if (compare) await compareWith(compare, digestsOf(CLIENT))
} catch (error) {
  giveUp(error)
}

async function compareWith(site, digests) {
  const found = await differences(digests, site).catch(({ message, cause }) => {
    throw new PreparationFailed(`Couldn’t compare ${site}: ${cause?.message ?? message}`)
  })
  if (found.length > 0)
    throw new PreparationFailed(`${site} doesn’t match this build:\n${found.join('\n')}`)
  console.log(`All ${Object.keys(digests).length} files on ${site} match this build.`)
}
