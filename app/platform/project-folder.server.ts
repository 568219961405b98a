/** Where the project lies: this file's folder and the built server are both two levels below it. */
import { fileURLToPath } from 'node:url'

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))
