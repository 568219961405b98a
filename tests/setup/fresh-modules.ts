/** Resets our own modules between files: what they remember belongs to a page, and what a file mocks is its own. */
import { vi } from 'vitest'

vi.resetModules()
