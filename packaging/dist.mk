# SPDX-License-Identifier: MIT
# Builds the release tarball, the package-manager recipes that contain its hash, and the Debian
# packages. Also copies the headers, so that users can download a single one.

DIST = $B/dist
DIST_NAME = user_events-$(VERSION)
# URL of the tarball's directory. Override it with: make dist URL=https://...
URL = file://$(abspath $(DIST))
# Lists the files that git tracks, which are packed with their local changes. In an unpacked
# tarball, or without git, lists all files.
DIST_FILES = { git ls-files -- ':!.ci' 2>/dev/null | grep . || \
	find . -name '$B' -prune -o -name .git -prune -o -name .ci -prune -o -name .pc -prune -o -type f -print | sed 's|^\./||'; }
DIST_TIME = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),$(shell date +%s))
RECIPES = meson/user_events.wrap meson/packagefiles/user_events/meson.build \
	vcpkg/user-events/vcpkg.json vcpkg/user-events/portfile.cmake conan/conanfile.py

dist:
	rm -rf '$(DIST)'
	mkdir -p '$(DIST)'
	$(DIST_FILES) | LC_ALL=C sort | tar --no-recursion -T - -cf '$(DIST)/$(DIST_NAME).tar.gz' -I 'gzip -n9' \
		--owner=0 --group=0 --numeric-owner --mtime=@$(DIST_TIME) --transform='s|^|$(DIST_NAME)/|'
	cp $(TOP_HEADERS) LICENSE '$(DIST)'
	cp -r packaging/meson packaging/vcpkg packaging/conan '$(DIST)'
	for f in $(RECIPES); do \
		sed -e 's|@VERSION@|$(VERSION)|g' -e 's|@URL@|$(URL)|' \
			-e "s|@SHA256@|$$(sha256sum <'$(DIST)/$(DIST_NAME).tar.gz' | cut -d ' ' -f 1)|" \
			-e "s|@SHA512@|$$(sha512sum <'$(DIST)/$(DIST_NAME).tar.gz' | cut -d ' ' -f 1)|" \
			packaging/$$f.in >'$(DIST)/'$$f && rm '$(DIST)/'$$f.in || exit; \
	done
	@echo '$(DIST): the tarball, the headers, and recipes for Meson, vcpkg and Conan'

# Builds the Debian packages from the tarball and packaging/debian, and checks them with lintian.
DEB = $B/deb
MAINTAINER = $(or $(DEBFULLNAME),The user_events.h authors) <$(or $(DEBEMAIL),user_events@example.org)>
deb: deps-tools+packages dist
	rm -rf '$(DEB)'
	mkdir -p '$(DEB)'
	cp '$(DIST)/$(DIST_NAME).tar.gz' '$(DEB)/user-events_$(VERSION).orig.tar.gz'
	tar -xzf '$(DIST)/$(DIST_NAME).tar.gz' -C '$(DEB)'
	cp -r packaging/debian '$(DEB)/$(DIST_NAME)'
	cd '$(DEB)/$(DIST_NAME)/debian' && for f in changelog control; do \
		sed -e 's|@VERSION@|$(VERSION)|' -e 's|@MAINTAINER@|$(MAINTAINER)|' \
			-e "s|@DATE@|$$(date -R -u -d @$(DIST_TIME))|" $$f.in >$$f && rm $$f.in || exit; \
	done
	@echo 'dpkg-buildpackage, into $(DEB)/log'
	@cd '$(DEB)/$(DIST_NAME)' && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc >../log 2>&1 || \
		{ tail -n 20 ../log; exit 1; }
	lintian --fail-on error,warning $(DEB)/*.changes
	@ls $(DEB)/*.deb

.PHONY: dist deb
