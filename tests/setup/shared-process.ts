/** Resets what earlier files left in this process. */
import { forgetLimitStore } from '#app/platform/http/rate-limits.server.ts'

forgetLimitStore()
