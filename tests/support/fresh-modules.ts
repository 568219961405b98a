/** Our own modules are as nobody used them: what they remember is a page's, and what a file replaced is its own. */
import { afterAll, vi } from 'vitest'

vi.resetModules()
// The next file, which may load a library, doesn't know what to put back.
afterAll(() => void vi.unstubAllGlobals())
