import './app.css'
import { createRoot } from 'react-dom/client'
import { Gallery } from './gallery.tsx'
import { Toaster } from './toaster.tsx'
import { TooltipHost } from './tooltip.tsx'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <>
      <Gallery />
      <Toaster />
      <TooltipHost />
    </>,
  )
