/** What the files before it left in this process is as in a new one. */
import { forgetLimitStore } from '#app/platform/http/rate-limits.server.ts'

forgetLimitStore()
