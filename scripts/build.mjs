// npm run build: installs and builds what's missing or outdated; --force builds anyway. --hashes prints the digest of each
// file that browsers get, --compare https://kettle.example compares them with a site's.

import { parseArgs } from 'node:util'
import { differences, digestsOf } from './client-files.mjs'
import { build, giveUp, install, PreparationFailed, root } from './prepare.mjs'

process.chdir(root)
const CLIENT = 'dist/client'
try {
  const { values } = parseArgs({
    options: {
      force: { type: 'boolean' },
      hashes: { type: 'boolean' },
      compare: { type: 'string' },
    },
  })
  await install()
  await build({ force: values.force })
  if (values.hashes)
    for (const [path, digest] of Object.entries(digestsOf(CLIENT)))
      console.log(`${digest}  ${path}`)
  if (values.compare) await compare(digestsOf(CLIENT), values.compare)
} catch (error) {
  giveUp(error)
}

async function compare(digests, site) {
  const found = await differences(digests, site).catch(({ message, cause }) => {
    throw new PreparationFailed(`Couldn’t compare ${site}: ${cause?.message ?? message}`)
  })
  if (found.length > 0)
    throw new PreparationFailed(`${site} doesn’t match this build:\n${found.join('\n')}`)
  console.log(`All ${Object.keys(digests).length} files on ${site} match this build.`)
}
