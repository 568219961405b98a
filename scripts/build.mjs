// npm run build: installs and builds what is missing or old; with --force builds anyway.

import { build, giveUp, install, root } from './prepare.mjs'

process.chdir(root)
try {
  await install()
  await build({ force: process.argv.includes('--force') })
} catch (error) {
  giveUp(error)
}
