#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Uses the output of `make dist` in the ways that users do: as a tarball, as separate headers, as a
# subdirectory of a CMake project, with Meson, and with recipes for vcpkg and Conan. Debian contains
# neither vcpkg nor Conan, so this script implements the functions that recipes use.

. "$(dirname "$0")/checks.sh"
set -e
top=$PWD at=$PWD/build/packages consumer=$PWD/tests/consumer
rm -rf "$at"
mkdir -p "$at"
# quietly COMMAND...: runs COMMAND and prints its output only if it fails
quietly()
{
	"$@" >"$at/log" 2>&1 || fail "$* (exit status $?):
$(tail -n 20 "$at/log")"
}

# The tarball contains the files in git, is reproducible, and can be built.
quietly make -s dist DIST="$at/dist"
tarball=$(echo "$at"/dist/user_events-*.tar.gz)
version=${tarball##*user_events-}
version=${version%.tar.gz}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "a version of three numbers: $version"
expect "the newest version of docs/CHANGELOG.md" "## $version" "$(grep -m 1 '^## [0-9]' docs/CHANGELOG.md | sed 's/ (.*//')"
sum=$(sha256sum <"$tarball")
mkdir "$at/tree"
tar -xf "$tarball" -C "$at/tree" --strip-components=1
expect "its headers" "" "$(diff -r include "$at/tree/include")"
mkdir "$at/tree/.git" # as in a checkout on a machine without git
touch "$at/tree/.git/object"
quietly make -C "$at/tree" -s dist DIST="$at/again" SOURCE_DATE_EPOCH="$(stat -c %Y "$at/tree/Makefile")"
expect "a tarball of the tarball" "$sum" "$(sha256sum <"$at/again/user_events-$version.tar.gz")"
expect "placeholders that are left" "" "$(grep -rIl '@[A-Z0-9]\+@' "$at/dist" || :)"
quietly cc -I"$at/dist" -o "$at/beside" "$consumer/main.c"
quietly "$at/beside"

# The flags of a packager, passed in the environment as dpkg-buildflags does, must reach the
# compiler and the linker.
commands=$(CFLAGS=-Dc CPPFLAGS=-Dcpp LDFLAGS=-Dld make -Bn build/uetrace build/plugin_user_events.so | grep '^gcc ')
expect "compiled with all flags" "$(grep -c -e ' -c ' <<<"$commands")" "$(grep -c -e '-Dcpp -Dc .* -c ' <<<"$commands")"
expect "linked with all flags" 2 "$(grep -v -e ' -c ' <<<"$commands" | grep -c -e '-Dc -Dld ')"

# If Debian's rules file contained two recipes for a target, make would use the second one.
for target in $(sed -n 's/^\(override_[a-z_]*\).*:$/\1/p' packaging/debian/rules); do
	expect "make -n of Debian's $target" "" "$(MAKEFLAGS= make -n -f packaging/debian/rules "$target" 2>&1 >/dev/null)"
done

# consume NAME TEXT [OPTION]: builds a CMake project that contains TEXT, which adds the library's
# targets
consume()
{
	mkdir -p "$at/$1"
	echo "$2" >"$at/$1/package.cmake"
	quietly cmake -S "$consumer" -B "$at/$1/build" -DPACKAGE="$at/$1/package.cmake" \
		-DCMAKE_C_COMPILER_WORKS=1 "${@:3}"
	quietly cmake --build "$at/$1/build"
	quietly "$at/$1/build/consumer"
	checks=$((checks + 1))
}
consume subdirectory "add_subdirectory($top/packaging/cmake user_events)
get_directory_property(version DIRECTORY $top/packaging/cmake DEFINITION user_events_VERSION)
if(NOT version VERSION_EQUAL $version)
  message(FATAL_ERROR \"the version is \${version}\")
endif()"
consume fetched "include(FetchContent)
FetchContent_Declare(user_events URL $tarball SOURCE_SUBDIR packaging/cmake)
FetchContent_MakeAvailable(user_events)"
# Use the CMake block of the README, with a local repository.
if command -v git >/dev/null; then
	git init -q -b main "$at/repository"
	cp -r include packaging "$at/repository"
	git -C "$at/repository" add .
	git -C "$at/repository" -c user.name=test -c user.email=test@localhost commit -qm test
	consume cloned "$(sed -n '/^include(FetchContent)/,/^FetchContent_Make/p' README.md |
		sed "s|/path/to/user_events|$at/repository|")"
	[ -e "$at/cloned/build/_deps/user_events-src/.git" ] || fail "nothing was cloned"
else
	echo "skipped: git is not installed"
fi

if command -v meson >/dev/null; then
	mkdir "$at/meson"
	cp -r "$at/dist/meson" "$at/meson/subprojects"
	cp "$consumer"/*.[ch] "$at/meson"
	cat >"$at/meson/meson.build" <<-END
		project('consumer', 'c')
		executable('consumer', 'main.c', dependencies: dependency('user_events', version: '$version'))
		executable('consumer_kernel', 'kernel.c', dependencies: dependency('user_events-kernel'))
		executable('consumer_compat', 'compat.c', dependencies: dependency('user_events-compat'))
	END
	quietly meson setup "$at/meson/build" "$at/meson"
	quietly meson compile -C "$at/meson/build"
	quietly "$at/meson/build/consumer"
	checks=$((checks + 1))
else
	echo "skipped: meson is not installed"
fi

# vcpkg: defines the functions that a portfile calls, then builds a project that uses the installed
# files.
cat >"$at/vcpkg.cmake" <<END
set(PORT user-events)
set(VERSION $version)
set(CURRENT_PORT_DIR $at/dist/vcpkg/user-events)
set(CURRENT_PACKAGES_DIR $at/vcpkg)
function(vcpkg_download_distfile variable)
  cmake_parse_arguments(ARG "" "URLS;FILENAME;SHA512" "" \${ARGN})
  file(DOWNLOAD \${ARG_URLS} $at/\${ARG_FILENAME} EXPECTED_HASH SHA512=\${ARG_SHA512})
  set(\${variable} $at/\${ARG_FILENAME} PARENT_SCOPE)
endfunction()
function(vcpkg_extract_source_archive variable word archive)
  file(ARCHIVE_EXTRACT INPUT \${archive} DESTINATION $at/vcpkg-source)
  set(\${variable} $at/vcpkg-source/user_events-$version PARENT_SCOPE)
endfunction()
function(vcpkg_install_copyright word file)
  file(INSTALL \${file} DESTINATION \${CURRENT_PACKAGES_DIR}/share/\${PORT} RENAME copyright)
endfunction()
include(\${CURRENT_PORT_DIR}/portfile.cmake)
END
quietly cmake -P "$at/vcpkg.cmake"
consume vcpkg-consumer "find_package(user_events $version CONFIG REQUIRED)" -DCMAKE_PREFIX_PATH="$at/vcpkg"
expect "pkg-config of vcpkg's" "$at/vcpkg/include" "$(realpath -m "$(PKG_CONFIG_PATH=$at/vcpkg/share/pkgconfig \
	pkg-config --variable=includedir user_events-kernel)")"
[ -s "$at/vcpkg/share/user-events/copyright" ] && [ -s "$at/vcpkg/share/user-events/usage" ] ||
	fail "vcpkg's port has no copyright or no usage"
quietly python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$at/dist/vcpkg/user-events/vcpkg.json"

# Conan: defines the classes and modules that a recipe inherits from and imports.
mkdir -p "$at/stub/conan/tools"
cat >"$at/stub/conan/__init__.py" <<'END'
class ConanFile:
    pass
END
cat >"$at/stub/conan/errors.py" <<'END'
class ConanInvalidConfiguration(Exception):
    pass
END
cat >"$at/stub/conan/tools/files.py" <<'END'
import fnmatch, hashlib, os, shutil, subprocess, urllib.request

def get(conanfile, url, sha256, strip_root):
    data = urllib.request.urlopen(url).read()
    assert strip_root and hashlib.sha256(data).hexdigest() == sha256
    os.makedirs(conanfile.source_folder)
    subprocess.run(["tar", "-xzC", conanfile.source_folder, "--strip-components=1"], input=data, check=True)

def copy(conanfile, pattern, src, dst, excludes=""):
    for folder, _, files in os.walk(src):
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), src)
            if fnmatch.fnmatch(path, pattern) and not any(fnmatch.fnmatch(path, e) for e in excludes):
                os.makedirs(os.path.dirname(os.path.join(dst, path)), exist_ok=True)
                shutil.copy(os.path.join(src, path), os.path.join(dst, path))
END
cat >"$at/conan.py" <<END
import collections, os, sys, types
sys.path[:0] = ["$at/stub", "$at/dist/conan"]
import conanfile
class Info(dict):
    set_property = dict.__setitem__
recipe = conanfile.UserEvents()
recipe.source_folder, recipe.package_folder = "$at/conan-source", "$at/conan-package"
recipe.settings = types.SimpleNamespace(os="Linux")
recipe.cpp_info = Info()
recipe.cpp_info.components = collections.defaultdict(Info)
for step in recipe.validate, recipe.source, recipe.package, recipe.package_info:
    step()
for name in "kernel", "compat":
    component = recipe.cpp_info.components[name]
    print(component["cmake_target_name"], *(os.path.join(recipe.package_folder, d) for d in component.includedirs))
END
quietly python3 "$at/conan.py"
mv "$at/log" "$at/targets"
expect "Conan's targets" "user_events::kernel $at/conan-package/include/user_events/kernel $at/conan-package/include
user_events::compat $at/conan-package/include/user_events/compat $at/conan-package/include" \
	"$(cat "$at/targets")"
# shellcheck disable=SC2046
quietly cc -o "$at/by_conan" "$consumer/kernel.c" -I"$consumer" \
	$(sed -n '1s/^[^ ]*//; 1s/ / -I/gp' "$at/targets")
# shellcheck disable=SC2046
quietly cc -o "$at/compat_by_conan" "$consumer/compat.c" \
	$(sed -n '2s/^[^ ]*//; 2s/ / -I/gp' "$at/targets")
[ -s "$at/conan-package/licenses/LICENSE" ] && [ ! -e "$at/conan-package/include/kernel" ] &&
	[ ! -e "$at/conan-package/include/compat" ] || fail "Conan's package has no license, or headers twice"
echo "packages: $checks checks"
