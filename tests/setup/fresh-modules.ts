/** Our own modules are as nobody used them: what they remember is a page's, and what a file replaced is its own. */
import { vi } from 'vitest'

vi.resetModules()
