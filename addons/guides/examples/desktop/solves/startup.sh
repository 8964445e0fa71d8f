#!/bin/bash
printf '#!/bin/sh\nxterm &\n' > ~/.icewm/startup
chmod +x ~/.icewm/startup
