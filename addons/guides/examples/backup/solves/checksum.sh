#!/bin/bash
cd ~ && sha256sum project.tar.gz > project.sha256
